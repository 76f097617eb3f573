import { CalendarHeartIcon } from '@phosphor-icons/react/dist/csr/CalendarHeart'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/virtualdate/', label: 'word.dates', icon: CalendarHeartIcon, place: 'more' },
]
