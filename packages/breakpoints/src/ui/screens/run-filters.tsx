/** Narrows the board down. What was chosen is in the address, so that it survives a reload and can be sent to somebody. */
import { useEffect, useRef } from "preact/hooks";
import { type RunFilter, runsAddress } from "../model/routes.js";
import type { Board } from "../model/run-board.js";
import { EVERYTHING, filterChips, isFiltered, projectName, STATE_CHOICES } from "../model/run-filters.js";
import { go, route } from "../parts/address.js";
import { Icon } from "../parts/icons.js";
import { UserText } from "../parts/user-text.js";
import { visible } from "../text/visible.js";

interface FiltersProps {
  filter: RunFilter;
  board: Board;
}

const TYPING_MS = 250;

/** Beside what is chosen at that time: words that were typed come a moment later. */
function choose(change: Partial<RunFilter>): void {
  const here = route.peek();
  if (here.screen === "runs") go(runsAddress({ ...here.filter, ...change }), { replace: true });
}

export function RunFilters({ filter, board }: FiltersProps) {
  const projects = board.projects.map(({ root }) => ({ value: root, word: projectName(root, board.projects) }));
  const processes = board.processes.map((value) => ({ value, word: value }));
  return (
    <div class="board-filters">
      <Search search={filter.search} />
      <details class="filter-fold" open={matchMedia("(min-width: 64rem)").matches || hasChoice(filter)}>
        <summary>
          <Icon name="settings" /> Filters
        </summary>
        <div class="filter-fields">
          <Choice
            label="Process"
            all="All processes"
            value={filter.process}
            choices={processes}
            onChoose={(process) => choose({ process })}
          />
          <Choice
            label="Project"
            all="All projects"
            value={filter.project}
            choices={projects}
            onChoose={(project) => choose({ project })}
          />
          <Choice
            label="State"
            all="Any state"
            value={filter.state}
            choices={STATE_CHOICES}
            onChoose={(state) => choose({ state })}
          />
          <label class="filter">
            <span>Day</span>
            <input
              type="date"
              name="day"
              value={filter.day}
              onChange={(event) => choose({ day: event.currentTarget.value })}
            />
          </label>
        </div>
      </details>
      <Chips filter={filter} board={board} />
    </div>
  );
}

function hasChoice(filter: RunFilter): boolean {
  return isFiltered({ ...filter, search: "" });
}

/** Asks once nobody has typed for a moment. */
function Search({ search }: { search: string }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  // It may have been cleared elsewhere; whoever types is not disturbed.
  useEffect(() => {
    const input = field.current;
    if (input !== null && input.value.trim() !== search && (search === "" || document.activeElement !== input))
      input.value = search;
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => choose({ search: text.trim() }), TYPING_MS);
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        name="search"
        aria-label="Search runs: titles, goals, errors and the ends of logs"
        placeholder="Search titles, goals, errors, ends of logs"
        autocomplete="off"
        defaultValue={search}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** Where nothing is chosen. */
  all: string;
  value: string;
  choices: readonly { value: string; word: string }[];
  onChoose: (value: string) => void;
}

/** An address may name what is not there any more; that stays chosen, and can be seen. */
function Choice({ label, all, value, choices, onChoose }: ChoiceProps) {
  const isThere = value === "" || choices.some((choice) => choice.value === value);
  const options = isThere ? choices : [...choices, { value, word: value }];
  return (
    <label class="filter">
      <span>{label}</span>
      <select name={label.toLowerCase()} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {plain(option.word)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice of a list can only be plain text. */
function plain(text: string): string {
  return visible(text)
    .map((piece) => piece.text)
    .join("");
}

function Chips({ filter, board }: FiltersProps) {
  if (!isFiltered(filter)) return null;
  return (
    <ul class="filter-chips" aria-label="Chosen filters">
      {filterChips(filter, board).map(({ name, label, text }) => (
        <li key={name}>
          <button type="button" class="button filter-chip" onClick={() => choose({ [name]: "" })}>
            <span class="quiet">{label}:</span> <UserText text={text} />
            <Icon name="cross" />
            <span class="unseen">Remove this filter</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="button" data-kind="quiet" onClick={() => choose(EVERYTHING)}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
