/** Someone has changed the journal or the code meanwhile: the iteration starts over. */
export class Overtaken extends Error {}
