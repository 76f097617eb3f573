import type { User, UserInterlocutor } from '@duet/protocol'
import type { App } from './core/app.ts'
import { type Db, readTogether } from './core/db.ts'
import type { Hooks } from './core/hooks.ts'
import type { HiddenFrom } from './core/hiding.ts'
import type { UserId } from './core/ids.ts'
import type { Module } from './core/module.ts'

type RenderChanges = (
  db: Db,
  viewerId: UserId,
  stored: readonly object[],
  context: App,
) => Promise<readonly object[]>

/** Merges what the modules contribute; where two add the same field, the later module of modules.ts wins. */
export function composeHooks(app: () => App, modules: readonly Module[]): Hooks {
  const publicFields = collectHooks(modules, 'publicFields')
  const ownFields = collectHooks(modules, 'ownFields')
  const hiding = collectHooks(modules, 'hiding')
  const inBothDirections = hiding.flatMap(({ hiddenFrom = [] }) => hiddenFrom)
  const authFields = collectHooks(modules, 'authFields')
  const callFigures = collectHooks(modules, 'callFigures')
  const waitingCases = collectHooks(modules, 'waitingCases')
  const caseUsers = collectHooks(modules, 'caseUsers')
  const renderers = new Map(
    modules.flatMap(({ renderChanges = {} }) =>
      Object.entries(renderChanges as Readonly<Record<string, RenderChanges>>),
    ),
  )
  return {
    async publicFields(db, viewerId, ids) {
      return mergedFields(await readAll(db, publicFields, (hook) => hook(db, viewerId, ids, app())))
    },
    async ownFields(db, user_id): Promise<Partial<User>> {
      return Object.assign(
        {},
        ...(await readAll(db, ownFields, (hook) => hook(db, user_id, app()))),
      )
    },
    async hiddenUsers(db, viewer, ids) {
      const hidden = await readAll(db, hiding, (hook) => hook.hiddenUsers(db, viewer, ids))
      return new Set(hidden.flatMap((one) => [...one]))
    },
    async hiddenFrom(db, ids) {
      return mergedViewers(await readAll(db, inBothDirections, (hiddenFrom) => hiddenFrom(db, ids)))
    },
    ...composeInterest(app, modules),
    async renderChanges(db, viewerId, event, stored) {
      return (await renderers.get(event)?.(db, viewerId, stored, app())) ?? stored
    },
    async callFigures(db, call) {
      return Object.assign({}, ...(await readAll(db, callFigures, (hook) => hook(db, call))))
    },
    async waitingCases(db, role) {
      return (await readAll(db, waitingCases, (hook) => hook(db, role, app()))).flat()
    },
    async caseUsers(db, named, viewer) {
      const found = await readAll(db, caseUsers, (hook) => hook(db, named, viewer, app()))
      return found.find((users) => users !== undefined)
    },
    async authFields(viewer) {
      const merged: Record<string, unknown> = {}
      // One after the other: the head of the change log is read before the states that later changes describe.
      for (const hook of authFields) Object.assign(merged, await hook(app(), viewer))
      return merged
    },
    diagnosis: () => collectDiagnosis(app(), modules),
    ...composeSystem(app, modules),
  }
}

async function collectDiagnosis(
  app: App,
  modules: readonly Module[],
): Promise<Record<string, object>> {
  const reports: Record<string, object> = {}
  for (const { name, diagnosis } of modules) if (diagnosis) reports[name] = await diagnosis(app)
  return reports
}

function composeSystem(app: () => App, modules: readonly Module[]): Pick<Hooks, 'systemFields'> {
  const systemFields = collectHooks(modules, 'systemFields')
  return {
    async systemFields(viewer, place) {
      const added = await Promise.all(systemFields.map((hook) => hook(app(), viewer, place)))
      const features = Object.assign({}, ...added.map((fields) => fields.features))
      return Object.assign({}, ...added, { features })
    },
  }
}

function composeInterest(app: () => App, modules: readonly Module[]): Pick<Hooks, 'interestedIn'> {
  const interestedIn = collectHooks(modules, 'interestedIn')
  return {
    async interestedIn(db, user, part) {
      const found = await readAll(db, interestedIn, (hook) => hook(db, user, part, app()))
      const ids = [...new Set(found.flat())].filter((id) => id !== user.id)
      return ids.toSorted((one, other) => one - other).slice(0, part.limit)
    },
  }
}

function mergedFields(
  contributions: readonly ReadonlyMap<UserId, Partial<UserInterlocutor>>[],
): Map<UserId, Partial<UserInterlocutor>> {
  const merged = new Map<UserId, Partial<UserInterlocutor>>()
  for (const [id, fields] of contributions.flatMap((one) => [...one]))
    merged.set(id, Object.assign(merged.get(id) ?? {}, fields))
  return merged
}

function mergedViewers(
  contributions: readonly ReadonlyMap<UserId, Partial<HiddenFrom>>[],
): Map<UserId, HiddenFrom> {
  const merged = new Map<UserId, HiddenFrom>()
  for (const [id, { users = [], countries = [] }] of contributions.flatMap((one) => [...one])) {
    const before = merged.get(id)
    merged.set(id, {
      users: new Set([...(before?.users ?? []), ...users]),
      countries: new Set([...(before?.countries ?? []), ...countries]),
    })
  }
  return merged
}

function collectHooks<K extends keyof Module>(
  modules: readonly Module[],
  hook: K,
): NonNullable<Module[K]>[] {
  return modules.flatMap((one) => (one[hook] === undefined ? [] : [one[hook]])) as NonNullable<
    Module[K]
  >[]
}

/** Runs the hook of every module that has it. */
function readAll<H, R>(db: Db, hooks: readonly H[], read: (hook: H) => Promise<R>): Promise<R[]> {
  return readTogether<R[]>(
    db,
    hooks.map((hook) => () => read(hook)),
  )
}
