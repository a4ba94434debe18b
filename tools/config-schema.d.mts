export function renderConfigSchema(built: { configSchema: () => object }): string;
export function renderSettings(built: { SETTINGS: object }): string;
