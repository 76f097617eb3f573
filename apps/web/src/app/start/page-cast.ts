import { createContext, use } from 'react'
import type { CastMember } from '@duet/protocol'

type Cast = readonly CastMember[]

/** The demo users that the landing page of a demo shows before the installation is asked for them. */
export const PageCast = createContext<Cast | undefined>(undefined)

export function usePageCast(): Cast | undefined {
  return use(PageCast)
}

/** The demo users that the server wrote into the page. */
export function readPageCast(): Cast | undefined {
  const template = document.querySelector<HTMLTemplateElement>('template#demo-cast')
  const text = template?.content.textContent
  return text ? (JSON.parse(text) as Cast) : undefined
}
