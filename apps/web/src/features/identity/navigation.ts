import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/profile/', label: 'nav.me', icon: UserCircleIcon, place: 'tab' },
]
