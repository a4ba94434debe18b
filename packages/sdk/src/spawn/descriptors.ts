/** Whether there are descriptors left for another child. Whoever takes the last one keeps us from recording what it does. */
import { areFree } from "./free-descriptors.js";
import { dropKeptPipes } from "./output-pipe.js";

/** For the pipes, the logs and the input of a child, and what the system takes to start it. */
const FOR_A_CHILD = 11;
/** For the journal, a hook and the program of the process, while another child is running. */
const RESERVED = 19;

/** Room for a child, and for everything else that is done while several are running. */
export function hasRoomForAnother(): boolean {
  return canHave(FOR_A_CHILD + RESERVED);
}

/**
 * Room for a child that has all the room there is. It must not be started without: Node and the system's library
 * keep some of the descriptors that they opened before they ran out.
 */
export function hasRoomForChild(): boolean {
  return canHave(FOR_A_CHILD);
}

/** Gives back what is only kept for later, before it says no. */
function canHave(count: number): boolean {
  if (areFree(count)) return true;
  dropKeptPipes();
  return areFree(count);
}
