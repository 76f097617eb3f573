import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/', label: 'word.chat', girlLabel: 'nav.studio', icon: VideoCameraIcon, place: 'rail' },
]
