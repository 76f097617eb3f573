import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { Icon } from '@phosphor-icons/react'
import type { TextId } from '../../lib/i18n.ts'

export interface PlaceToGo {
  readonly to: string
  readonly label: TextId
  readonly icon: Icon
}

const chat = { to: '/', label: 'nav.chat', icon: VideoCameraIcon } as const
const studio = { to: '/', label: 'nav.studio', icon: VideoCameraIcon } as const
const me = { to: '/profile/', label: 'nav.me', icon: UserCircleIcon } as const

/** What there is to go to now. A feature that comes adds its place here; nothing stands here that leads nowhere. */
export function railPlaces(role: WireRole | null): readonly PlaceToGo[] {
  return [role === 'girl' ? studio : chat]
}

export function tabPlaces(role: WireRole | null): readonly PlaceToGo[] {
  return [...railPlaces(role), me]
}
