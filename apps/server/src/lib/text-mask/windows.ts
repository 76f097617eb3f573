import type { Skeleton } from './folding.ts'
import type { Span } from './spans.ts'

/** More than a contact reaches to one side: a word with signs between its letters, a mailbox, a host. */
const REACH = 128
/** A search goes on to a blank, if there is one near: a link ends there. */
const TO_BLANK_MAX = 500
const BLANK = /\s/
/** More than a pattern looks at before and behind a contact. */
const CONTEXT = 32

/** A part of a skeleton in which a contact may stand because of a place in it. */
export interface SearchWindow {
  readonly searched: Span
  /** A contact must touch this: farther away the place makes none, but the end of the searched part could. */
  readonly near: Span
}

/** Collects the windows around places of a skeleton that come in order. */
export class WindowsBuilder {
  private readonly near: [number, number][] = []

  add(start: number, end: number): void {
    const last = this.near.at(-1)
    if (last && start - REACH <= last[1] + CONTEXT) last[1] = Math.max(last[1], end + REACH)
    else this.near.push([start - REACH, end + REACH])
  }

  build(text: string): SearchWindow[] {
    return this.near.map(([start, end]) => {
      const near: Span = [Math.max(0, start), Math.min(text.length, end)]
      return { searched: [toBegin(text, near[0]), toEnd(text, near[1])], near }
    })
  }
}

function toBegin(text: string, near: number): number {
  const least = Math.max(0, near - REACH)
  let at = near
  while (at > least && !BLANK.test(text[at - 1]!)) at -= 1
  return Math.max(0, at - CONTEXT)
}

function toEnd(text: string, near: number): number {
  const most = Math.min(text.length, near + TO_BLANK_MAX)
  let at = near
  while (at < most && !BLANK.test(text[at]!)) at += 1
  return Math.min(text.length, at + CONTEXT)
}

/** The windows of a skeleton around parts of its original, which are in order. */
export function windowsAround({ text, from }: Skeleton, parts: readonly Span[]): SearchWindow[] {
  const windows = new WindowsBuilder()
  let at = 0
  for (const [start, end] of parts) {
    while (at < text.length && from[at]! < start) at += 1
    const first = at
    while (at < text.length && from[at]! < end) at += 1
    windows.add(first, at)
  }
  return windows.build(text)
}

/** A part of a skeleton, as a skeleton of the same original. */
export function getPart({ text, from }: Skeleton, [start, end]: Span): Skeleton {
  return { text: text.slice(start, end), from: from.subarray(start, end + 1) }
}

export function touching(spans: readonly Span[], near: Span): Span[] {
  return spans.filter(([start, end]) => start < near[1] && end > near[0])
}
