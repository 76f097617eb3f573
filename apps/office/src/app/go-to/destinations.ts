import {
  CircleHalfIcon,
  GavelIcon,
  KeyboardIcon,
  ListIcon,
  ListMagnifyingGlassIcon,
  MagnifyingGlassIcon,
  SignOutIcon,
  UsersIcon,
  type Icon,
} from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { FoundCase } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { personName } from '../../shared/person-name.ts'
import { useSignOut, useStaff } from '../../shared/session.tsx'
import { locale, msg, t, type OfficeText } from '../../shared/texts.ts'
import { switchTheme } from '../../shared/theme.ts'
import { useSettled } from '../../shared/use-settled.ts'
import { actOptions } from '../../features/audit/act-names.ts'
import { groups } from '../pages.ts'

/** Something that the search offers. */
export interface Destination {
  readonly key: string
  readonly icon: Icon
  readonly name: string
  readonly detail: string
  readonly open: () => void
}

/** Of each kind. */
const SHOWN_MAX = 8
const CASES: Readonly<Record<FoundCase['kind'], OfficeText>> = {
  complaints: msg('office.found.complaints'),
  photos: msg('office.found.photos'),
  masked: msg('office.found.masked'),
  verifications: msg('office.found.verifications'),
  appeals: msg('office.found.appeals'),
  findings: msg('office.found.findings'),
  reports: msg('office.found.reports'),
  statements: msg('office.found.statements'),
  orders: msg('office.found.orders'),
  payments: msg('office.found.payments'),
  callbacks: msg('office.found.callbacks'),
}
const pages = groups.flatMap((group) => group.pages)

/** The destinations that match the words: pages and acts at once, cases, orders and people when the server has found them. */
export function useDestinations(words: string, onKeys: () => void) {
  const wanted = words.trim()
  const own = useOwn(onKeys)
  const found = useFound(wanted)
  const text = wanted.toLocaleLowerCase(locale)
  const matching = (list: readonly Destination[]) =>
    list.filter(({ name }) => name.toLocaleLowerCase(locale).includes(text))
  const destinations =
    text === ''
      ? own.pages
      : [
          ...matching(own.pages),
          ...matching(own.acts),
          ...found.destinations,
          ...matching(own.audited).slice(0, SHOWN_MAX),
          own.searchFor(wanted),
        ]
  return { destinations, isSearching: found.isSearching, error: found.error }
}

/** The destinations that the page knows by itself: pages, acts, and the acts of the audit log for its readers. */
function useOwn(onKeys: () => void) {
  const { role } = useStaff()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const open = (path: string) => () => void navigate(path)
  const mayOpen = (path: string) =>
    pages.some((page) => page.path === path && page.roles.includes(role))
  const act = (icon: Icon, title: OfficeText, run: () => void) => ({
    key: title,
    icon,
    name: t(title),
    detail: t('office.go.act'),
    open: run,
  })
  return {
    pages: pages
      .filter(({ roles }) => roles.includes(role))
      .map(({ path, icon, title }) => ({
        key: path,
        icon,
        name: t(title),
        detail: t('office.go.page'),
        open: open(`/${path}`),
      })),
    acts: [
      ...(mayOpen('sanctions')
        ? [act(GavelIcon, 'office.sanctions.new', open('/sanctions?new=1'))]
        : []),
      act(CircleHalfIcon, 'office.theme', switchTheme),
      act(KeyboardIcon, 'office.keys.title', onKeys),
      act(SignOutIcon, 'office.sign_out', () => signOut.mutate()),
    ],
    audited: mayOpen('audit')
      ? actOptions().map(({ value, label }) => ({
          key: `audit ${value}`,
          icon: ListMagnifyingGlassIcon,
          name: label,
          detail: t('office.nav.audit'),
          open: open(`/audit?act=${value}`),
        }))
      : [],
    searchFor: (wanted: string): Destination => ({
      key: 'search',
      icon: MagnifyingGlassIcon,
      name: t('office.go.search', { words: wanted }),
      detail: t('office.nav.users'),
      open: open(`/users?${new URLSearchParams({ find: wanted })}`),
    }),
  }
}

/** The destinations that the server finds. Those of former words are not offered: Enter would open one. */
function useFound(wanted: string) {
  const { role } = useStaff()
  const navigate = useNavigate()
  const asked = useSettled(wanted)
  const enabled = asked !== '' && asked === wanted
  const people = useQuery({
    queryKey: ['people', asked],
    queryFn: ({ signal }) => api.get('v2/manager/users', { query: asked }, { signal }),
    enabled,
  })
  const cases = useQuery({
    queryKey: ['cases', asked],
    queryFn: ({ signal }) => api.get('v2/manager/cases', { query: asked }, { signal }),
    enabled,
  })
  const casePlace = ({ kind, id, is_waiting, users }: FoundCase) => {
    if (is_waiting) return `/${kind}?case=${id}`
    const isMoney = kind === 'orders' && (role === 'finance' || role === 'owner')
    const tab = kind === 'orders' ? (isMoney ? '/money' : '') : '/sanctions'
    return `/users/${users[0]?.id}${tab}`
  }
  const destinations = [
    ...(cases.data?.cases ?? []).map((one) => ({
      key: `${one.kind} ${one.id}`,
      icon: pages.find(({ path }) => path === one.kind)?.icon ?? ListIcon,
      name: t(CASES[one.kind], { id: one.id }),
      detail: one.users.map(personName).join(', '),
      open: () => void navigate(casePlace(one)),
    })),
    ...(people.data?.users ?? []).slice(0, SHOWN_MAX).map((user) => ({
      key: `user ${user.id}`,
      icon: UsersIcon,
      name: personName(user),
      detail: [user.id, user.email].filter(Boolean).join(' · '),
      open: () => void navigate(`/users/${user.id}`),
    })),
  ]
  return {
    destinations: enabled ? destinations : [],
    isSearching: wanted !== '' && (!enabled || people.isFetching || cases.isFetching),
    error: enabled ? (people.error ?? cases.error) : null,
  }
}
