import { useEffect, type RefObject } from 'react'

const CONTROLS =
  ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled, [tabindex="-1"])'

/**
 * A press often removes or disables its own control, such as the row of a list or a button at the end of its range. The
 * focus would then fall to the start of the page. Instead the focus moves to the next control of the section, or to the
 * section.
 */
export function useFocusKeeper(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    if (!element) return
    return keepFocus(element)
  }, [area])
}

interface Focused {
  readonly control: HTMLElement
  readonly section: HTMLElement
  /** The place among the controls of the section. */
  readonly index: number
}

function keepFocus(area: HTMLElement): () => void {
  let last: Focused | undefined
  const note = ({ target }: FocusEvent) => {
    const section = target instanceof HTMLElement && target.closest<HTMLElement>('section')
    last = section
      ? { control: target, section, index: listControls(section).indexOf(target) }
      : undefined
  }
  // A browser may report the loss of the focus of a control that it is about to remove.
  const forget = () =>
    queueMicrotask(() => {
      if (last && isUsable(last.control) && document.activeElement !== last.control)
        last = undefined
    })
  const check = () => {
    if (!last || isUsable(last.control)) return
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body
    if (isLost || activeElement === last.control) getSuccessor(last).focus()
  }
  const watcher = new MutationObserver(check)
  watcher.observe(area, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  area.addEventListener('focusin', note)
  area.addEventListener('focusout', forget)
  return () => {
    watcher.disconnect()
    area.removeEventListener('focusin', note)
    area.removeEventListener('focusout', forget)
  }
}

function getSuccessor({ control, section, index }: Focused): HTMLElement {
  const controls = listControls(section)
  const next = control.isConnected
    ? controls.find(
        (one) => control.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
      )
    : controls[index]
  const found = next ?? controls.at(-1)
  if (found) return found
  section.tabIndex = -1
  return section
}

function listControls(section: HTMLElement): HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>(CONTROLS)]
}

function isUsable(control: HTMLElement): boolean {
  return control.isConnected && !control.matches(':disabled')
}
