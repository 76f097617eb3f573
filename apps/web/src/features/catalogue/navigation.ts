import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/girls/', label: 'word.girls', icon: UsersThreeIcon, role: 'men', place: 'rail' },
]
