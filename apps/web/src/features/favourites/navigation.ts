import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import type { NavItem } from '../../shared/feature.ts'

/** A girl needs no entry: a girl finds the users that she knows among her guests. */
export const navigation: readonly NavItem[] = [
  { to: '/favorites/', label: 'word.favourites', icon: HeartIcon, place: 'rail', role: 'men' },
]
