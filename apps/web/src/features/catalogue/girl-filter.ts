import { useSearchParams } from 'react-router'
import { isLocale, type Locale } from '@duet/protocol/kernel/locales.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'

export const TABS = ['online', 'recommended', 'offline'] as const
export type GirlTab = (typeof TABS)[number]
export const SORTS = ['best', 'new', 'online'] as const
export type GirlSort = (typeof SORTS)[number]

/** The choice of the viewer. It is in the address, so that the page is the same after a visit to a girl's page. */
export interface GirlFilter {
  readonly tab: GirlTab
  readonly name: string
  readonly language: Locale | undefined
  /** Only the top girls. */
  readonly top: boolean
  readonly sort: GirlSort
}

function isAmong<Value extends string>(values: readonly Value[], word: string): word is Value {
  return (values as readonly string[]).includes(word)
}

export function readFilter(params: URLSearchParams): GirlFilter {
  const tab = params.get('tab') ?? ''
  const sort = params.get('sort') ?? ''
  const language = params.get('language') ?? ''
  return {
    tab: isAmong(TABS, tab) ? tab : 'online',
    name: (params.get('name') ?? '').slice(0, limits.query_characters),
    language: isLocale(language) ? language : undefined,
    top: params.has('top'),
    sort: isAmong(SORTS, sort) ? sort : 'best',
  }
}

/** The defaults are not in the address. */
function writeFilter({ tab, name, language, top, sort }: GirlFilter): Record<string, string> {
  return {
    ...(tab !== 'online' && { tab }),
    ...(name !== '' && { name }),
    ...(language && { language }),
    ...(top && { top: '1' }),
    ...(sort !== 'best' && { sort }),
  }
}

/** The request for the list of a filter. A name is looked for among all girls. */
export function toQuery({ tab, name, language, top, sort }: GirlFilter) {
  const query = name.trim()
  const chosen = { ...(language && { language }), ...(top && { top }) }
  if (query !== '') return { query, ...chosen }
  return { ...(tab === 'offline' && { offline: true }), ...chosen, sort }
}

/** Recommendations have no language, no order, and more than top girls: choosing one leads to the girls who are online. */
export function applyChange(filter: GirlFilter, changed: Partial<GirlFilter>): GirlFilter {
  const isOrdered = [changed.sort, changed.language, changed.top].some((one) => one !== undefined)
  const tab = isOrdered && filter.tab === 'recommended' ? 'online' : filter.tab
  return { ...filter, tab, ...changed }
}

export function useGirlFilter() {
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  const change = (changed: Partial<GirlFilter>) =>
    setParams((latest) => writeFilter(applyChange(readFilter(latest), changed)), {
      replace: true,
      preventScrollReset: true,
    })
  return { filter, change }
}
