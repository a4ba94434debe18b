export interface Link {
  line: number;
  target: string;
  picture: boolean;
  text: string;
}
export function linksOf(markdown: string): Link[];
export function anchorsOf(markdown: string): string[];
export function slugOf(title: string): string;
export function followLink(page: string, target: string): { file: string; anchor?: string } | undefined;
export function checkLinks(repository: {
  pages: Readonly<Record<string, string>>;
  exists: (path: string) => boolean;
  index: string;
  reachable: readonly string[];
  pictures: readonly string[];
}): { page: string; line: number; what: string }[];
