/** Before any test: the hosts are there, so that no test has to wait for a download. */
import { HOST_VERSIONS, installHost } from "./install-hosts.js";

export default async function setup(): Promise<void> {
  for (const version of HOST_VERSIONS) await installHost(version);
}
