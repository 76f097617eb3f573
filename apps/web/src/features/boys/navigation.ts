import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/girls/', label: 'nav.guests', icon: UsersThreeIcon, role: 'girl', place: 'rail' },
]
