/** For what our own programs decide and say. What a host must do for that is tested in every version elsewhere. */
import { HOST_VERSIONS } from "./install-hosts.js";

export const NEWEST_HOST = HOST_VERSIONS.slice(-1);
