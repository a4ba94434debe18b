import { expect, it } from "vitest";
import { chooseOpener } from "./browser.js";

const DISPLAY = { DISPLAY: ":0" };

it.each<[string, [NodeJS.Platform, Record<string, string>], string[], string | undefined]>([
  ["a desktop", ["linux", DISPLAY], ["xdg-open"], "/bin/xdg-open"],
  ["a Wayland desktop", ["linux", { WAYLAND_DISPLAY: "wayland-0" }], ["xdg-open"], "/bin/xdg-open"],
  ["no display", ["linux", {}], ["xdg-open"], undefined],
  ["no opener", ["linux", DISPLAY], [], undefined],
  ["a display forwarded over SSH", ["linux", { ...DISPLAY, SSH_CONNECTION: "1 2 3 4" }], ["xdg-open"], undefined],
  ["a Mac", ["darwin", {}], ["open"], "/bin/open"],
  ["a Mac over SSH", ["darwin", { SSH_TTY: "/dev/ttys001" }], ["open"], undefined],
  ["WSL", ["linux", { WSL_DISTRO_NAME: "Ubuntu" }], ["wslview", "xdg-open"], "/bin/wslview"],
  ["WSL with a display only", ["linux", { ...DISPLAY, WSL_DISTRO_NAME: "Ubuntu" }], ["xdg-open"], "/bin/xdg-open"],
])("the browser is opened where a person looks: %s", (_, [platform, env], programs, expected) => {
  const find = (name: string): string | undefined => (programs.includes(name) ? `/bin/${name}` : undefined);
  expect(chooseOpener({ platform, release: "6.1.0", env, find })).toBe(expected);
});
