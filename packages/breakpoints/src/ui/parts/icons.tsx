/** Drawings of one line weight. They repeat a word that stands beside them, so they are hidden from screen readers. */
const PATHS = {
  brand: "M2.5 2.5h11v9h-6L4 14.2v-2.7H2.5zM5.5 7l2 2 3.5-4",
  inbox: "M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4.5H2z",
  history: "M2.5 8a5.5 5.5 0 1 0 1.8-4.1L2.5 5.5M2.5 2.5v3h3M8 5v3.2l2 1.3",
  report: "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 11h5",
  settings: "M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 2.5v4M6 9.5v4",
  help: "M6 6a2 2 0 1 1 2.8 1.8c-.5.2-.8.6-.8 1.2v.5M8 12v.1M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  hand: "M8 4.5v4M8 11.2v.1M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  pause: "M6 5.5v5M10 5.5v5M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  part: "M8 5v3.2l2 1.3M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  play: "M6.5 5.5v5l4-2.5zM14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  none: "M4.5 8h7M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  warning: "M8 2 1.5 13.5h13zM8 6.5v3M8 11.4v.1",
  agent: "M3 6h10v7H3zM8 6V3M6 9.3v.4M10 9.3v.4M1.5 9v2M14.5 9v2",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  link: "M6.5 9.5l3-3M7 4.5l1.8-1.8a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.8 1.8a2.8 2.8 0 0 1-4-4L5 7.5",
  back: "M10 3 5 8l5 5",
  up: "M3.5 10 8 5.5l4.5 4.5",
  down: "M3.5 6 8 10.5 12.5 6",
  search: "M10.5 10.5 14 14M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z",
  key: "M7 8.5 14 1.5M11.5 4l2 2M8 11a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  offline:
    "M2 2l12 12M5 9.5a4.5 4.5 0 0 1 2-1M2.5 6.8A8 8 0 0 1 5 5.2M11 9.5 10.6 9.2M13.5 6.8A8 8 0 0 0 7.5 4.5M8 12.4v.1",
  bell: "M3.5 11.5h9l-1.2-2V7a3.3 3.3 0 0 0-6.6 0v2.5zM6.8 13.8h2.4M8 2.2v1.3",
  comment: "M2.5 3h11v8h-6l-3 2.5V11h-2z",
  device: "M2 3h12v8H2zM5.5 13.5h5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
