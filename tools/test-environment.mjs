/** What every test finds in its environment. */
export const TEST_ENVIRONMENT = {
  BABYSITTER_DURABILITY: "relaxed",
  // Where a network has certificates of its own, every start of Node would parse them, and tests start thousands.
  NODE_EXTRA_CA_CERTS: "",
};
