/** What is played on a disk while its power fails. */
import { eventFileName, nextPlace } from "../../../packages/sdk/src/journal/chain.js";
import { RunJournal } from "../../../packages/sdk/src/runs/run-journal.js";
import { RUN_DIR, type Scene, Stage, untilTheEnd } from "./durability-sweep.js";
import { PowerCutDisk } from "./power-cut-disk.js";
import { createSmallRun, finish, iterateOnce, LARGE_ANSWERS, postFor, RUN_ID, SMALL_ANSWERS } from "./small-run.js";

/** An empty disk. */
function blank(): Stage {
  return new Stage(new PowerCutDisk(), { created: false, events: [] }, { hour: 0 });
}

/** A disk with a run on it that has come this far, all of it durable. */
export async function after(...steps: ((stage: Stage) => Promise<void>)[]): Promise<Stage> {
  const stage = blank();
  for (const step of steps) await step(stage);
  return new Stage(stage.disk.clone(), stage.acknowledged, { hour: 0 });
}

export const create = (width: number) => async (stage: Stage) => createSmallRun(stage.actor().ports, width);
export const iterate = async (stage: Stage): Promise<void> => void (await iterateOnce(stage.actor().ports));
const post =
  (key: string, answers = SMALL_ANSWERS) =>
  async (stage: Stage): Promise<void> =>
    void (await postFor(stage.actor().ports, key, answers));

/** As a clone of a git repository has it: neither caches nor empty folders. */
async function withoutDerivedFolders(stage: Stage): Promise<void> {
  const { view } = stage.actor();
  for (const name of ["state", "blobs", "tasks", "artifacts"])
    view.rmSync(`${RUN_DIR}/${name}`, { recursive: true, force: true });
}

const SCENES = {
  "creating a run": async () => ({ start: blank(), act: create(2), width: 2 }),
  "a request appended alone": async () => ({
    start: await after(create(1), iterate, post("part-1:1")),
    act: iterate,
    width: 1,
  }),
  "a batch of two": async () => ({ start: await after(create(1)), act: iterate, width: 1 }),
  "a batch of four": async () => ({ start: await after(create(3)), act: iterate, width: 3 }),
  "a posted result": async () => ({ start: await after(create(2), iterate), act: post("part-1:1"), width: 2 }),
  "a posted result above the inline limit": async () => ({
    start: await after(create(1), iterate),
    act: post("part-1:1", LARGE_ANSWERS),
    width: 1,
    answers: LARGE_ANSWERS,
  }),
  "a large result in a run without its derived folders": async () => ({
    start: await after(create(1), iterate, withoutDerivedFolders),
    act: post("part-1:1", LARGE_ANSWERS),
    width: 1,
    answers: LARGE_ANSWERS,
  }),
  "the end of a run": async () => ({
    start: await after(create(1), iterate, post("part-1:1"), iterate, post("whole:1")),
    act: iterate,
    width: 1,
  }),
  "a whole run": async () => ({
    start: blank(),
    act: async (stage) => {
      const { ports } = stage.actor();
      await createSmallRun(ports, 2);
      await finish(ports);
    },
    width: 2,
  }),
} satisfies Record<string, () => Promise<Scene>>;

export type SceneName = keyof typeof SCENES;

export const SCENE_NAMES = Object.keys(SCENES) as SceneName[];

/** A scene, its disk prepared. */
export function scene(name: SceneName): Promise<Scene> {
  return SCENES[name]();
}

/** A process has published an event and died before its sync; the next one builds on it. */
export async function overtakenScene(): Promise<Scene> {
  const start = await after(create(2), iterate);
  const { summary } = await RunJournal.open(start.actor().ports, RUN_ID);
  const linked = `${RUN_DIR}/journal/${eventFileName(nextPlace(summary.head))}`;
  return {
    start,
    width: 2,
    act: async (stage) => {
      const { ports, view } = stage.actor((call) => {
        if (call.name === "fsyncSync" && call.path.endsWith("/journal") && view.existsSync(linked)) view.dead = true;
      });
      await untilTheEnd(async () => void (await postFor(ports, "part-1:1")));
      if (stage.disk.isOff) return;
      await postFor(stage.actor().ports, "part-2:1");
    },
  };
}
