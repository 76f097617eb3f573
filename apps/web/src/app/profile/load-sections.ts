import type { ProfileSection, ProfileTab } from '../../shared/feature.ts'
import { features } from '../features.ts'

export const PROFILE_TABS = ['personal', 'account', 'rules'] as const satisfies ProfileTab[]

let loaded: readonly ProfileSection[] = []

/** Loads the sections of every feature. */
export async function loadProfileSections(): Promise<void> {
  const lists = await Promise.all(
    features.map(async (one) => (await one.profileSections?.()) ?? []),
  )
  loaded = lists.flat().toSorted((one, other) => one.order - other.order)
}

/** The sections of all features in their order. Empty until they are loaded. */
export function profileSections(): readonly ProfileSection[] {
  return loaded
}
