export function shippedPages(
  pages: Readonly<Record<string, string>>,
  web: (file: string, how: { picture: boolean }) => string,
): Record<string, string>;
