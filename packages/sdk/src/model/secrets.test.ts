import { expect, it } from "vitest";
import { hideAssignedSecrets, isSecretName } from "./secrets.js";

it.each([
  "API_TOKEN",
  "signingKey",
  "db-password",
  "SECRET",
  "AWS_SECRET_ACCESS_KEY",
  "token",
  "Authorization",
  "apikey",
  "API_KEY_PROD",
  "GITHUB_TOKEN_2",
])("C16: %s is a secret's name", (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  "MAX_TOKENS",
  "maxTokens",
  "tokenBudget",
  "TOKENIZERS_PARALLELISM",
  "key",
  "keys",
  "monkey",
  "secretary",
  "path",
])("C16: %s is none", (name) => {
  expect(isSecretName(name)).toBe(false);
});

it("C16: values assigned to secrets are hidden in logs, others are not", () => {
  expect(hideAssignedSecrets("API_KEY=sk-live-123 NODE_ENV=test\npassword: hunter2\nMAX_TOKENS=10")).toBe(
    "API_KEY=[hidden] NODE_ENV=test\npassword: [hidden]\nMAX_TOKENS=10",
  );
});

it.each(["a-", "token-", "-", " ", "\n", "=", "a=", "key: "])("a long text of %j is looked through at once", (unit) => {
  const text = unit.repeat((256 * 1024) / unit.length);
  expect(hideAssignedSecrets(text).length).toBeGreaterThan(0);
});
