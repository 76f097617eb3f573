import type { LocaleName, Query } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { open, seal } from '../../lib/cipher.ts'
import type { AppContext } from '../../core/app.ts'

/** A list of girls: its conditions and its order. */
export interface GirlList {
  /** Absent: girls who are online and girls who are not. */
  readonly is_online?: boolean
  readonly language?: LocaleName
  /** `best`: by rank, then the longest online. `new`: the latest verified first. `online`: the latest visit first. */
  readonly order: 'best' | 'new' | 'online' | 'name'
  /** The best rank alone. */
  readonly top: boolean
  /** The beginning of the name, as `foldName` returns it. */
  readonly name: string
}

/** Where a page ends: the columns by which the list is sorted. */
export type Position = readonly (string | number)[]

/** A name as lists are searched by it: small letters without accents. */
export function foldName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/**
 * The list that a request asks for. A name reaches all girls: among the names of one letter, a page of the girls who are
 * online or TOP would read the whole letter. TOP girls are few and have one order.
 */
export function toGirlList(request: Query<'GET girls'>): GirlList {
  const { offline, language, sort, top = false, query = '' } = request
  const name = foldName(query)
  if (name !== '') return { ...(language && { language }), order: 'name', top: false, name }
  return {
    is_online: offline !== true,
    ...(language && { language }),
    order: top ? 'best' : sort,
    top,
    name,
  }
}

const CURSOR_BYTES_MAX = 384

/**
 * The place after which the next page begins. It is encrypted, because it tells when a girl came or left, and readable for
 * its own list only.
 */
export function sealCursor(app: AppContext, list: GirlList, position: Position): string {
  return seal(cursorKey(app), [listKey(list), ...position])
}

/** Refuses invalid: the cursor belongs to another list, or was made elsewhere. */
export function openCursor(app: AppContext, list: GirlList, cursor: string): Position {
  const opened = open(cursorKey(app), cursor, CURSOR_BYTES_MAX)
  if (!Array.isArray(opened) || opened[0] !== listKey(list))
    refuse('invalid', { fields: [{ path: 'after', message: 'Not a place of this list' }] })
  return opened.slice(1) as Position
}

/** A list under a short name, the same for the same list. */
export function listKey({ is_online, language, order, top, name }: GirlList): string {
  return JSON.stringify([is_online ?? null, language ?? null, order, top, name])
}

function cursorKey({ config }: AppContext): Buffer {
  return keyFor(config, 'places of the catalogue')
}
