/** Every way to reach a person. */
export const CHANNELS = ["telegram", "ntfy", "slack", "discord", "webhook"] as const;
/** One of {@link CHANNELS}. */
export type ChannelName = (typeof CHANNELS)[number];
