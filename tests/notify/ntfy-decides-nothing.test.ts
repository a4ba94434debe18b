/** A server that listens to ntfy, and is told there to decide. */
import { expect, it } from "vitest";
import { HOSTILE } from "../fixtures/hostile-text.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { hookReach, ntfyReach, REPLY_TOPIC } from "../fixtures/notify/reach.js";

it("B9: nothing that is said in ntfy, or answered by a webhook, decides a question", async () => {
  const scene = new NotifyScene();
  const [ntfy, hook] = [await ntfyReach(), await hookReach("webhook")];
  for (const { channel, settings } of [ntfy, hook]) scene.enable(channel, settings);
  hook.fake.answer = { approved: true, decision: "approve", option: 1, acknowledged: true };
  const server = await scene.start();
  const id = await scene.ask("run-1", "Shall it go out?");
  await scene.receipt(id, "accepted");
  const said = ["approve", "yes", "Approve", `approve ${id}`, id, `question:${id}`, "/approve 1", "1", HOSTILE];
  const documents = [{ approved: true }, { id, decision: "approve" }, { tap: id }].map((one) => JSON.stringify(one));
  for (const text of [...said, ...documents]) ntfy.fake.say(REPLY_TOPIC, text);
  // The tap comes last, so all of it was heard.
  const [seen] = ntfy.seen();
  await ntfy.tap?.(seen as NonNullable<typeof seen>);
  await scene.receipt(id, "acknowledged");
  const question = await (await server.signIn()).read<{ state: string; comments: unknown[] }>(`/api/questions/${id}`);
  expect([question.state, question.comments]).toEqual(["open", []]);
  const states = scene.receipts(id).map(({ channel, state }) => [channel, state]);
  expect(states).toEqual([
    ["ntfy", "acknowledged"],
    ["webhook", "accepted"],
  ]);
});
