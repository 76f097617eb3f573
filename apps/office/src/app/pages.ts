import {
  AsteriskIcon,
  BroadcastIcon,
  GavelIcon,
  IdentificationCardIcon,
  ImageIcon,
  HandPalmIcon,
  ListMagnifyingGlassIcon,
  LockKeyIcon,
  ScalesIcon,
  DetectiveIcon,
  UsersIcon,
  UsersThreeIcon,
  WarningCircleIcon,
  DevicesIcon,
  MegaphoneSimpleIcon,
  CurrencyDollarIcon,
  EnvelopeSimpleIcon,
  type Icon,
} from '@phosphor-icons/react'
import type { CountedPage } from '@duet/protocol'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import type { ComponentType } from 'react'
import { msg, type OfficeText } from '../shared/texts.ts'
import { lazyPage } from './lazy-page.tsx'

export interface OfficePage {
  readonly path: string
  readonly title: OfficeText
  readonly icon: Icon
  readonly page: ComponentType
  /** The roles that see it; the server decides by itself. */
  readonly roles: readonly StaffRole[]
  /** Its count in the navigation. */
  readonly queue?: CountedPage
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
        page: lazyPage(
          () => import('../features/complaints/complaints.tsx'),
          (from) => from.Complaints,
        ),
        roles: MODERATORS,
        queue: 'complaints',
      },
      {
        path: 'wall',
        title: msg('office.nav.wall'),
        icon: BroadcastIcon,
        page: lazyPage(
          () => import('../features/wall/wall.tsx'),
          (from) => from.Wall,
        ),
        roles: MODERATORS,
      },
      {
        path: 'photos',
        title: msg('word.photos'),
        icon: ImageIcon,
        page: lazyPage(
          () => import('../features/photos/photos.tsx'),
          (from) => from.Photos,
        ),
        roles: MODERATORS,
        queue: 'photos',
      },
      {
        path: 'masked',
        title: msg('office.nav.masked'),
        icon: AsteriskIcon,
        page: lazyPage(
          () => import('../features/masked/masked.tsx'),
          (from) => from.Masked,
        ),
        roles: MODERATORS,
        queue: 'masked',
      },
      {
        path: 'findings',
        title: msg('office.nav.findings'),
        icon: DetectiveIcon,
        page: lazyPage(
          () => import('../features/findings/findings.tsx'),
          (from) => from.Findings,
        ),
        roles: MODERATORS,
        queue: 'findings',
      },
      {
        path: 'appeals',
        title: msg('office.nav.appeals'),
        icon: ScalesIcon,
        page: lazyPage(
          () => import('../features/appeals/appeals.tsx'),
          (from) => from.Appeals,
        ),
        roles: MANAGERS,
        queue: 'appeals',
      },
      {
        path: 'verifications',
        title: msg('office.nav.verifications'),
        icon: IdentificationCardIcon,
        page: lazyPage(
          () => import('../features/verifications/verifications.tsx'),
          (from) => from.Verifications,
        ),
        roles: MANAGERS,
        queue: 'verifications',
      },
      {
        path: 'reports',
        title: msg('office.nav.reports'),
        icon: MegaphoneSimpleIcon,
        page: lazyPage(
          () => import('../features/reports/reports.tsx'),
          (from) => from.Reports,
        ),
        roles: MODERATORS,
        queue: 'reports',
      },
      {
        path: 'sealed',
        title: msg('office.nav.sealed'),
        icon: LockKeyIcon,
        page: lazyPage(
          () => import('../features/sealed/sealed.tsx'),
          (from) => from.Sealed,
        ),
        roles: MANAGERS,
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
        page: lazyPage(
          () => import('../features/people/people.tsx'),
          (from) => from.People,
        ),
        roles: ALL,
      },
      {
        path: 'sanctions',
        title: msg('office.nav.sanctions'),
        icon: GavelIcon,
        page: lazyPage(
          () => import('../features/sanctions/sanctions.tsx'),
          (from) => from.Sanctions,
        ),
        roles: MODERATORS,
      },
    ],
  },
  {
    title: msg('office.nav.money'),
    pages: [
      {
        path: 'payments',
        title: msg('office.nav.payments'),
        icon: CurrencyDollarIcon,
        page: lazyPage(
          () => import('../features/payments/payments.tsx'),
          (from) => from.Payments,
        ),
        roles: ['finance', 'owner'],
        queue: 'payments',
      },
      {
        path: 'callbacks',
        title: msg('office.nav.callbacks'),
        icon: EnvelopeSimpleIcon,
        page: lazyPage(
          () => import('../features/payments/callbacks.tsx'),
          (from) => from.Callbacks,
        ),
        roles: ['finance', 'owner'],
        queue: 'callbacks',
      },
      {
        path: 'methods',
        title: msg('office.nav.methods'),
        icon: CurrencyDollarIcon,
        page: lazyPage(
          () => import('../features/payments/payment-methods.tsx'),
          (from) => from.PaymentMethods,
        ),
        roles: ['finance', 'owner'],
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
        page: lazyPage(
          () => import('../features/staff/staff-members.tsx'),
          (from) => from.StaffMembers,
        ),
        roles: ['owner'],
      },
      {
        path: 'audit',
        title: msg('office.nav.audit'),
        icon: ListMagnifyingGlassIcon,
        page: lazyPage(
          () => import('../features/audit/audit-log.tsx'),
          (from) => from.AuditLog,
        ),
        roles: MANAGERS,
      },
      {
        path: 'stopped',
        title: msg('office.nav.bulk'),
        icon: HandPalmIcon,
        page: lazyPage(
          () => import('../features/bulk/stopped-acts.tsx'),
          (from) => from.StoppedActs,
        ),
        roles: MANAGERS,
        queue: 'approvals',
      },
      {
        path: 'devices',
        title: msg('office.nav.devices'),
        icon: DevicesIcon,
        page: lazyPage(
          () => import('../features/staff/devices.tsx'),
          (from) => from.Devices,
        ),
        roles: ALL,
      },
    ],
  },
]
