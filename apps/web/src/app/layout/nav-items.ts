import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import type { NavItem } from '../../shared/feature.ts'
import type { TextId } from '../../shared/i18n.ts'
import { createStore, useStore } from '../../shared/observable-store.ts'
import { features } from '../features.ts'

export const navItems = createStore<readonly NavItem[]>([])

/** Loads the navigation entries of every feature, in the order of the features. */
export async function loadNavItems(): Promise<void> {
  const lists = await Promise.all(
    features.map(async ({ navigation }) => (navigation ? navigation() : [])),
  )
  const items = lists.flat()
  const tabs = items.filter(({ place }) => place === 'tab')
  navItems.set([...items.filter(({ place }) => place !== 'tab'), ...tabs])
}

/** The entries of this role. The items of the tab bar only come last. */
export function useNavItems(role: WireRole | null): readonly NavItem[] {
  return useStore(navItems).filter((item) => item.role === undefined || item.role === role)
}

export function getLabel(
  { label, girlLabel }: Pick<NavItem, 'label' | 'girlLabel'>,
  role: WireRole | null,
): TextId {
  return role === 'girl' && girlLabel ? girlLabel : label
}
