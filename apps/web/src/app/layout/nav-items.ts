import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import type { NavItem } from '../../shared/feature.ts'
import type { TextId } from '../../shared/i18n.ts'
import { createStore, useStore } from '../../shared/observable-store.ts'
import { features } from '../features.ts'

const navItems = createStore<readonly NavItem[]>([])

/** Loads the navigation entries of every feature, in the order of the features. */
export async function loadNavItems(): Promise<void> {
  const lists = await Promise.all(
    features.map(async ({ navigation }) => (navigation ? navigation() : [])),
  )
  const items = lists.flat()
  const ofPlace = (place: NavItem['place']) => items.filter((item) => item.place === place)
  navItems.set([...ofPlace('rail'), ...ofPlace('tab')])
}

/** The entries of this role. Rail items come first, then the items of the tab bar only. */
export function useNavItems(role: WireRole | null): readonly NavItem[] {
  return useStore(navItems).filter((item) => item.role === undefined || item.role === role)
}

export function getLabel({ label, girlLabel }: NavItem, role: WireRole | null): TextId {
  return role === 'girl' && girlLabel ? girlLabel : label
}
