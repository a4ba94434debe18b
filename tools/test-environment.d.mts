export const TEST_ENVIRONMENT: Readonly<Record<string, string>>;
