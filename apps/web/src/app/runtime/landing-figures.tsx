import { useEffect } from 'react'
import type { Answer } from '@duet/protocol'
import { useSettings, useSystem } from '../../shared/queries.ts'
import { useWomenOnline } from '../../shared/people/online-count.ts'

/** The facts of the installation that the landing page shows. A fact is undefined until it is known. */
export interface Figures {
  readonly settings?: Answer<'GET getSettings'> | undefined
  readonly system?: Answer<'GET system'> | undefined
  readonly women_online?: number | undefined
}

/** Fetches the figures of the landing page and keeps them current. It draws nothing itself. */
export function LandingFigures({ onChange }: { onChange: (figures: Figures) => void }) {
  const settings = useSettings()
  const system = useSystem()
  const women_online = useWomenOnline()
  useEffect(
    () => onChange({ settings, system, women_online }),
    [settings, system, women_online, onChange],
  )
  return null
}
