import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/favorites/', label: 'word.favourites', icon: HeartIcon, place: 'rail' },
]
