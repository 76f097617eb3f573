import { Window } from 'happy-dom'

/**
 * A page as its first layout sees it: without the content of the sections that follow the first screen on every width, which
 * `content-visibility` keeps out of it.
 */
export function firstLayout(html: string): string {
  const window = new Window()
  const document = new window.DOMParser().parseFromString(html, 'text/html')
  for (const section of document.querySelectorAll('.below-fold')) section.replaceChildren()
  return document.body.innerHTML
}
