import { actions, endpoints } from '@duet/protocol'
import type { Action, Endpoint, Event } from '@duet/protocol/kernel/contract.ts'
import { signalSent } from '@duet/protocol/contracts/signaling.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Sender } from '../../core/viewer.ts'
import { assert } from '../../lib/assert.ts'
import type { Module } from '../../core/module.ts'

/** A handler as the dispatcher calls it; the types that bind it to its contract are checked where it is mounted. */
export type Handler = (
  app: App,
  viewer: Sender,
  input: unknown,
  context: RequestContext,
) => Promise<unknown>

export interface MountedContract<Contract> {
  readonly contract: Contract
  /** Undefined: its module does not exist yet, the request is answered with 901. */
  readonly handler: Handler | undefined
}

/** Every contract with its handler. */
export interface ContractRegistry {
  /** By name, and by the name of the client's method too. */
  readonly actions: ReadonlyMap<string, MountedContract<Action>>
  readonly endpoints: ReadonlyMap<string, MountedContract<Endpoint>>
  readonly signals: ReadonlyMap<string, MountedContract<Event>>
  /** Names of the requests that no module answers yet. */
  readonly missing: {
    readonly actions: readonly string[]
    readonly endpoints: readonly string[]
    readonly signals: readonly string[]
  }
}

export function createContractRegistry(modules: readonly Module[]): ContractRegistry {
  const socketHandlers = handlersIn(modules, 'actions', { ...actions, ...signalSent })
  const mountedActions = mount<Action>(actions, socketHandlers)
  const mountedEndpoints = mount<Endpoint>(endpoints, handlersIn(modules, 'endpoints', endpoints))
  const mountedSignals = mount<Event>(signalSent, socketHandlers)
  const missing = {
    actions: unanswered(mountedActions),
    endpoints: unanswered(mountedEndpoints),
    signals: unanswered(mountedSignals).filter((name) => name !== 'AUTH'),
  }
  for (const mounted of [...mountedActions.values()]) {
    const { method, aliases = [] } = mounted.contract as Action & { aliases?: readonly string[] }
    for (const name of [method, ...aliases]) mountedActions.set(name, mounted)
  }
  return { actions: mountedActions, endpoints: mountedEndpoints, signals: mountedSignals, missing }
}

function handlersIn(
  modules: readonly Module[],
  part: 'actions' | 'endpoints',
  contracts: object,
): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>()
  for (const module of modules) {
    for (const [name, handler] of Object.entries((module[part] ?? {}) as Record<string, Handler>)) {
      assert(
        Object.hasOwn(contracts, name),
        `${module.name} answers ${name}, which the protocol knows`,
      )
      assert(!handlers.has(name), `one module answers ${name}`)
      handlers.set(name, handler)
    }
  }
  return handlers
}

function mount<Contract>(
  contracts: Readonly<Record<string, unknown>>,
  handlers: ReadonlyMap<string, Handler>,
): Map<string, MountedContract<Contract>> {
  return new Map(
    Object.entries(contracts).map(([name, contract]) => [
      name,
      { contract: contract as Contract, handler: handlers.get(name) },
    ]),
  )
}

function unanswered(mounted: ReadonlyMap<string, MountedContract<unknown>>): string[] {
  return [...mounted].filter(([, { handler }]) => handler === undefined).map(([name]) => name)
}
