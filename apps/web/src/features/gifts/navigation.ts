import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/gifts/', label: 'word.gifts', icon: GiftIcon, place: 'more' },
]
