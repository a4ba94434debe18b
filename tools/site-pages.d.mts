interface Places {
  page(file: string): string | undefined;
  web(file: string): string;
}
interface Group {
  title: string;
  links: { page: string; label: string }[];
}
export function siteFile(page: string): string;
export function titleOf(text: string, page: string): string;
export function navigationOf(index: string, pages: Readonly<Record<string, string>>): Group[];
export function sectionsOf(page: string, text: string): { url: string; title: string; heading: string; text: string }[];
export function renderBody(page: string, text: string, places: Places): string;
export function renderPage(options: {
  page: string;
  text: string;
  navigation: Group[];
  places: Places;
  name: string;
}): string;
export function escapeHtml(text: string): string;
