import type { Query } from '@duet/protocol'
import type { UserId } from '../../core/ids.ts'

/** A part of the list: `size` guys, of which a page reads some. */
export interface Section {
  readonly size: number
  slice(from: number, to: number): readonly UserId[]
}

/** A guy with a talk of the girl in the last 30 days. */
export interface Talk {
  readonly user_id: UserId
  readonly is_premium: boolean
  readonly is_online: boolean
}

export interface Sections {
  readonly premium: Section
  readonly others: Section
  /** The latest talk first. */
  readonly talks: readonly Talk[]
}

/** The sections of the list in their order: premium before all others, and of both those who are online first. */
export function chooseSections(
  { premium, others, talks }: Sections,
  filter: Query<'GET boys'>['filter'],
): readonly Section[] {
  const talked = (is_premium: boolean, onlyOffline: boolean) =>
    talks
      .filter((talk) => talk.is_premium === is_premium && !(onlyOffline && talk.is_online))
      .map(({ user_id }) => user_id)
  switch (filter) {
    case 'online':
      return [premium, others]
    case 'talked':
      return [toSection(talked(true, false)), toSection(talked(false, false))]
    case 'premium':
      return [premium, toSection(talked(true, true))]
    default:
      return [premium, toSection(talked(true, true)), others, toSection(talked(false, true))]
  }
}

function toSection(ids: readonly UserId[]): Section {
  return { size: ids.length, slice: (from, to) => ids.slice(from, to) }
}

/** The guys from `offset` on, over the borders of sections. */
export function readSections(
  sections: readonly Section[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): UserId[] {
  const ids: UserId[] = []
  let begin = 0
  for (const section of sections) {
    const from = Math.max(0, offset - begin)
    if (from < section.size) ids.push(...section.slice(from, from + limit - ids.length))
    begin += section.size
    if (ids.length === limit) break
  }
  return ids
}
