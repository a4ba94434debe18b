import { expect, it } from "vitest";
import { hideCommandSecrets, hideSecrets, isSecretName } from "./secrets.js";

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
  "APIToken",
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
  expect(hideSecrets("API_KEY=sk-live-123 NODE_ENV=test\npassword: hunter2\nMAX_TOKENS=10")).toBe(
    "API_KEY=[hidden] NODE_ENV=test\npassword: [hidden]\nMAX_TOKENS=10",
  );
});

it.each(["a-", "token-", "-", " ", "\n", "=", "a=", "key: "])("a long text of %j is looked through at once", (unit) => {
  const text = unit.repeat((256 * 1024) / unit.length);
  expect(hideSecrets(text).length).toBeGreaterThan(0);
});

it.each<[string | string[], string | string[]]>([
  [
    ["curl", "-H", "Authorization: Bearer abcSECRETabcSECRET"],
    ["curl", "-H", "Authorization: [hidden]"],
  ],
  [
    ["curl", "-H", 'Authorization: Digest username="me", response="abcSECRET"', "-u", "me:abcSECRET"],
    ["curl", "-H", "Authorization: [hidden]", "-u", "[hidden]"],
  ],
  ["curl -H 'Authorization: Bearer abcSECRET x' -v", "curl -H 'Authorization: [hidden]' -v"],
  [`curl -H 'Authorization: Digest username="me", response="abcSECRET"'`, "curl -H 'Authorization: [hidden]'"],
  ["curl -H Authorization:\\ Bearer\\ abcSECRET -v", "curl -H Authorization:[hidden] -v"],
  ['curl -H "X-Api-Key: abcSECRET" -H "Cookie: id=abcSECRET"', 'curl -H "X-Api-Key: [hidden]" -H "Cookie: [hidden]"'],
  ["curl -HAuthorization:abcSECRET", "curl -HAuthorization:[hidden]"],
  ["curl -H 'X-Who: Bearer abcSECRETabc'", "curl -H 'X-Who: Bearer [hidden]'"],
  ["my --token abcSECRET", "my --token [hidden]"],
  ["my --token='abc SECRET' -v", "my --token=[hidden] -v"],
  ["my API_KEY=abcSECRET x", "my API_KEY=[hidden] x"],
  ["sh -c 'API_KEY=abcSECRET'", "sh -c 'API_KEY=[hidden]'"],
  [
    ["my", "-k", "sk-ant-abcSECRET", "--key", "abcSECRET1"],
    ["my", "-k", "[hidden]", "--key", "[hidden]"],
  ],
  ["my --key abcSECRET1 --key sk-ant-abcSECRET", "my --key [hidden] --key [hidden]"],
  ["my ghp_abcSECRETabcSECRET", "my [hidden]"],
  ["my github_pat_11ABC_abcSECRET", "my [hidden]"],
  ["my xoxb-123456789-abcSECRET AKIAABCDEFGHIJKLMNOP", "my [hidden] [hidden]"],
  ["my eyJhbGciOiJI.eyJzdWIiOiIx.abc", "my [hidden]"],
  ["curl https://me:abcSECRET@host.test/", "curl https://me:[hidden]@host.test/"],
])("C16: the command %j shows no secret", (command, shown) => {
  expect(hideCommandSecrets(command)).toEqual(shown);
  expect(hideCommandSecrets(shown)).toEqual(shown);
});

it.each<string | string[]>([
  "npm test -- --key name --max-tokens 5 -u",
  "sort --key 2 -k 1,3 file.txt",
  "openssl req --key ./certs/server1.pem",
  ["docker", "run", "-u", "1000", "npm_config_user_agent=x"],
  "echo 'note: a bearer token is missing' && task-runner --basic javascript2",
])("C16: the command %j is shown as it is", (command) => {
  expect(hideCommandSecrets(command)).toEqual(command);
});

it("C16: logs hide headers and tokens, and keep words that follow a flag", () => {
  expect(hideSecrets("> Authorization: Bearer abcSECRET\nthe flag --token is required\nghp_abcSECRETabcSECRET")).toBe(
    "> Authorization: [hidden]\nthe flag --token is required\n[hidden]",
  );
});
