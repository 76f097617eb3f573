import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { holdAtTop } from './hold-at-top.ts'

const NONE: ReadonlySet<string> = new Set()

type Column = RefObject<HTMLElement | null>

/** Changes with every navigation. A fragment that the user types into the address bar gives no key. */
function useNavigationKey(): string {
  const { key, hash } = useLocation()
  return `${key}${hash}`
}

/**
 * The sections that were shown since the last navigation. Sections that the present layout does not show stay mounted.
 */
export function useKeptSections(shown: readonly string[]): ReadonlySet<string> {
  const key = useNavigationKey()
  const [kept, setKept] = useState({ key, ids: NONE })
  const before = kept.key === key ? kept.ids : NONE
  const ids = shown.every((id) => before.has(id)) ? before : new Set([...before, ...shown])
  if (kept.key !== key || kept.ids !== ids) setKept({ key, ids })
  return ids
}

/** The id of the section in which the user pressed or typed last, until the next navigation. */
export function useUsedSection(column: Column): string | undefined {
  const key = useNavigationKey()
  const [used, setUsed] = useState<{ key: string; id: string }>()
  useEffect(() => {
    const element = column.current
    const note = ({ target }: Event) => {
      const id = target instanceof Element && target.closest('section[id]')?.id
      if (id) setUsed((before) => (before?.key === key && before.id === id ? before : { key, id }))
    }
    element?.addEventListener('focusin', note)
    // A press focuses no button in some browsers.
    element?.addEventListener('pointerdown', note)
    return () => {
      element?.removeEventListener('focusin', note)
      element?.removeEventListener('pointerdown', note)
    }
  }, [column, key])
  return used?.key === key ? used.id : undefined
}

/**
 * Moves the focus after a navigation. On a phone the heading of the section gets the focus. After a return to the list
 * the row of the section gets the focus. On a desktop the section of the address stays at the top while the sections
 * above it load, and its heading gets the focus. Another tab begins at the top. A change of the layout moves no focus.
 */
export function useSectionFocus(column: Column, id: string | undefined, isPhone: boolean): void {
  const key = useNavigationKey()
  const isBack = useNavigationType() === 'POP'
  const present = useRef({ id, isPhone, isBack })
  const last = useRef<string>(undefined)
  useEffect(() => {
    present.current = { id, isPhone, isBack }
  })
  useEffect(() => {
    const { id: shown, isPhone: isNarrow, isBack: wasBack } = present.current
    const before = last.current
    last.current = shown
    if (isNarrow) return shown === undefined ? focusRow(before) : focusTitle(column.current)
    const section = shown === undefined ? null : document.getElementById(shown)
    if (section) return holdAtTop(section, column.current!)
    if (!wasBack) scrollTo(0, 0)
    return undefined
  }, [column, key])
}

/** After a turn the section in use is in view: the sections above it came or went. */
export function useSectionInView(usedId: string | undefined, isPhone: boolean): void {
  const present = useRef(usedId)
  useEffect(() => {
    present.current = usedId
  })
  useEffect(() => {
    if (present.current)
      document.getElementById(present.current)?.scrollIntoView({ block: 'start' })
  }, [isPhone])
}

function focusTitle(column: HTMLElement | null): undefined {
  scrollTo(0, 0)
  column?.closest('#page, body')?.querySelector('h1')?.focus({ preventScroll: true })
}

function focusRow(id: string | undefined): undefined {
  if (id) document.querySelector<HTMLElement>(`a[href$="/profile/#${id}"]`)?.focus()
}
