import {
  GavelIcon,
  IdentificationCardIcon,
  ImageIcon,
  HandPalmIcon,
  ListMagnifyingGlassIcon,
  ScalesIcon,
  UsersIcon,
  UsersThreeIcon,
  WarningCircleIcon,
  DevicesIcon,
  MegaphoneSimpleIcon,
  type Icon,
} from '@phosphor-icons/react'
import type { QueueName } from '@duet/protocol'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import type { ComponentType } from 'react'
import { Appeals } from '../features/appeals/appeals.tsx'
import { AuditLog } from '../features/audit/audit-log.tsx'
import { StoppedActs } from '../features/bulk/stopped-acts.tsx'
import { Complaints } from '../features/complaints/complaints.tsx'
import { People } from '../features/people/people.tsx'
import { Photos } from '../features/photos/photos.tsx'
import { Reports } from '../features/reports/reports.tsx'
import { Statements } from '../features/sanctions/statements.tsx'
import { Devices } from '../features/staff/devices.tsx'
import { StaffMembers } from '../features/staff/staff-members.tsx'
import { Verifications } from '../features/verifications/verifications.tsx'
import { msg, type OfficeText } from '../shared/texts.ts'

export interface OfficePage {
  readonly path: string
  readonly title: OfficeText
  readonly icon: Icon
  readonly page: ComponentType
  /** The roles that see it; the server decides by itself. */
  readonly roles: readonly StaffRole[]
  /** Its count in the navigation. */
  readonly queue?: QueueName
}

const MANAGERS: readonly StaffRole[] = ['manager', 'owner']
const MODERATORS: readonly StaffRole[] = ['moderator', ...MANAGERS]
const ALL: readonly StaffRole[] = [...MODERATORS, 'finance']

/** The pages by their groups in the navigation. */
export const groups: readonly { title: OfficeText; pages: readonly OfficePage[] }[] = [
  {
    title: msg('office.nav.queues'),
    pages: [
      {
        path: 'complaints',
        title: msg('office.nav.complaints'),
        icon: WarningCircleIcon,
        page: Complaints,
        roles: MODERATORS,
        queue: 'complaints',
      },
      {
        path: 'photos',
        title: msg('word.photos'),
        icon: ImageIcon,
        page: Photos,
        roles: MODERATORS,
        queue: 'photos',
      },
      {
        path: 'appeals',
        title: msg('office.nav.appeals'),
        icon: ScalesIcon,
        page: Appeals,
        roles: MANAGERS,
        queue: 'appeals',
      },
      {
        path: 'verifications',
        title: msg('office.nav.verifications'),
        icon: IdentificationCardIcon,
        page: Verifications,
        roles: MANAGERS,
        queue: 'verifications',
      },
      {
        path: 'reports',
        title: msg('office.nav.reports'),
        icon: MegaphoneSimpleIcon,
        page: Reports,
        roles: MODERATORS,
        queue: 'reports',
      },
    ],
  },
  {
    title: msg('office.nav.people'),
    pages: [
      {
        path: 'users',
        title: msg('office.nav.users'),
        icon: UsersIcon,
        page: People,
        roles: ALL,
      },
      {
        path: 'sanctions',
        title: msg('office.nav.sanctions'),
        icon: GavelIcon,
        page: Statements,
        roles: MODERATORS,
      },
    ],
  },
  {
    title: msg('office.nav.programme'),
    pages: [
      {
        path: 'staff',
        title: msg('office.nav.staff'),
        icon: UsersThreeIcon,
        page: StaffMembers,
        roles: ['owner'],
      },
      {
        path: 'audit',
        title: msg('office.nav.audit'),
        icon: ListMagnifyingGlassIcon,
        page: AuditLog,
        roles: MANAGERS,
      },
      {
        path: 'stopped',
        title: msg('office.nav.bulk'),
        icon: HandPalmIcon,
        page: StoppedActs,
        roles: MANAGERS,
      },
      {
        path: 'devices',
        title: msg('office.nav.devices'),
        icon: DevicesIcon,
        page: Devices,
        roles: ALL,
      },
    ],
  },
]
