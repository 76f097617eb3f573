import { z } from 'zod'
import { ChangeId, nothing } from './primitives.ts'
import type { RefusalName } from './refusals.ts'

/**
 * The fields that describe an action, an event and an endpoint. Validation, types, permissions and
 * reference pages are derived from these values.
 */

/** The callers that a contract admits. `any` needs nothing; the staff roles are in order of power. `who.ts` defines each. */
export type Who =
  | 'any'
  | 'guest'
  | 'member'
  | 'guy'
  | 'premium'
  | 'girl'
  | 'verified'
  | 'staff'
  | 'moderator'
  | 'manager'
  | 'finance'
  | 'owner'

/** How often one user (one address, before AUTH) may call: `'30/min'`, `'20/day'`. The socket's own rate comes on top. */
export type Rate = `${number}/${'s' | 'min' | 'hour' | 'day'}`

/**
 * The part of a zod schema that a contract needs. Small, because every contract is compared with it: with
 * the whole of `z.ZodType` the types of the contracts take ten times as long to check.
 */
export interface ContractSchema extends z.core.$ZodType {
  parse(value: unknown): unknown
  safeParse(value: unknown): z.ZodSafeParseResult<unknown>
}
type NoRefusal = never

type Whos = Who | readonly Who[]

interface Guarded<R extends RefusalName, W extends Whos = Whos> {
  /** A single `who`, or several of which one suffices (`['premium', 'girl']`). */
  readonly who: W
  readonly rate?: Rate
  /** Refusals of this call beyond those that every call may give (`everyCall` in `refusals.ts`). */
  readonly refuses: readonly R[]
  /** One sentence for the reference pages. */
  readonly summary: string
  /** A banned user may still call it (appeal, support, own data, withdrawal state). */
  readonly banned?: true
}

export interface Action<
  Name extends string = string,
  Data extends ContractSchema = ContractSchema,
  Ack extends ContractSchema = ContractSchema,
  R extends RefusalName = RefusalName,
  W extends Whos = Whos,
> extends Guarded<R, W> {
  readonly kind: 'action'
  readonly name: Name
  /** Name of the client's method, accepted by the server as an action name too. */
  readonly method: string
  /** Further names of the same action (`login`, `register` of AUTH). */
  readonly aliases?: readonly string[]
  readonly data: Data
  readonly ack: Ack
  /** The client does not wait for an acknowledgement (typing and the like); `ack` is then `nothing`. */
  readonly silent?: true
}

export interface Event<
  Name extends string = string,
  Payload extends ContractSchema = ContractSchema,
  Durable extends boolean = boolean,
> {
  readonly kind: 'event'
  readonly name: Name
  readonly payload: Payload
  /** A durable event is one row of its reader's change log; the payload then carries `change_id`. */
  readonly durable: Durable
  readonly summary: string
}

export type Method = 'GET' | 'POST' | 'PUT'

/** `token`: header Chat-Token. `files`: User-Access-Token, the fs_token. `project`: Public-Key, with the sender's ortc_token in Peer-Token. `signature`: in the address. `provider`: the payment provider's. `staff`: the back office's own. */
export type Credential = 'token' | 'files' | 'project' | 'signature' | 'provider' | 'staff'

export interface Endpoint<
  M extends Method = Method,
  Path extends string = string,
  Query extends ContractSchema = ContractSchema,
  Body extends ContractSchema = ContractSchema,
  Data extends ContractSchema = ContractSchema,
  R extends RefusalName = RefusalName,
  W extends Whos = Whos,
> extends Guarded<R, W> {
  readonly kind: 'endpoint'
  readonly method: M
  /** Below `/api`, without a leading slash, `{x}` for a path parameter: `v2/tournament/top/day/{x}`. Other roots begin with a slash: `/upload/image/{product}`. */
  readonly path: Path
  /** Query and path parameters together. */
  readonly query: Query
  readonly body: Body
  readonly data: Data
  /**
   * `multipart`: fields as in `body`, files by the listed names. `form`: urlencoded is accepted beside
   * JSON. `text`: JSON in a text/plain body. `raw`: the provider's own format.
   */
  readonly takes?: 'multipart' | 'form' | 'text' | 'raw'
  readonly files?: readonly string[]
  /** Of `multipart`: decides how large a file may be, and which memory the server keeps for it. */
  readonly upload?: 'pictures' | 'pictures and videos' | 'documents'
  /** The credential of the caller where it is not Chat-Token. */
  readonly credential?: Credential
  /** POST that moves money or stores a file: `Idempotency-Key` is honoured. */
  readonly idempotent?: true
  /** The answer is the provider's or a file's own format, or `data` by itself: not `{ data }`. */
  readonly gives?: 'raw'
}

export function action<
  Name extends string,
  Data extends ContractSchema,
  Ack extends ContractSchema,
  const W extends Whos,
  R extends RefusalName = NoRefusal,
>(
  name: Name,
  of: Omit<Action<Name, Data, Ack, R, W>, 'kind' | 'name'>,
): Action<Name, Data, Ack, R, W> {
  return Object.freeze({ kind: 'action' as const, name, ...of })
}

export function event<
  Name extends string,
  Payload extends ContractSchema,
  Durable extends boolean = false,
>(
  name: Name,
  of: { readonly summary: string; readonly payload: Payload; readonly durable?: Durable },
): Event<Name, Payload, Durable> {
  const { summary, durable = false as Durable } = of
  return Object.freeze({
    kind: 'event' as const,
    name,
    summary,
    durable,
    payload: durable ? numbered(of.payload) : of.payload,
  })
}

/** The payload of a durable event carries its place in the reader's change log; types learn it in `Payload`. */
function numbered<Payload extends ContractSchema>(payload: Payload): Payload {
  if (!(payload instanceof z.ZodObject))
    throw new Error('The payload of a durable event must be an object')
  return payload.extend({ change_id: ChangeId.optional() }) as z.ZodObject as unknown as Payload
}

export function endpoint<
  M extends Method,
  Path extends string,
  Data extends ContractSchema,
  const W extends Whos,
  R extends RefusalName = NoRefusal,
  Query extends ContractSchema = z.ZodObject<Record<never, never>>,
  Body extends ContractSchema = z.ZodObject<Record<never, never>>,
>(
  method: M,
  path: Path,
  of: Omit<
    Endpoint<M, Path, Query, Body, Data, R, W>,
    'kind' | 'method' | 'path' | 'query' | 'body'
  > & {
    query?: Query
    body?: Body
  },
): Endpoint<M, Path, Query, Body, Data, R, W> {
  return Object.freeze({
    kind: 'endpoint' as const,
    method,
    path,
    query: nothing as never,
    body: nothing as never,
    ...of,
  })
}
