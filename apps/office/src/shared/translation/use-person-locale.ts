import { useQuery } from '@tanstack/react-query'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { api } from '../api.ts'
import { useTranslates } from '../session.tsx'
import { useSettled } from '../use-settled.ts'

/** The language of the person with this number, who is looked up unless the language is known already. */
export function usePersonLocale(user: string, known: Locale | null | undefined): Locale | null {
  const id = parseId(user)
  const settled = useSettled(user)
  const { data } = useQuery({
    queryKey: ['locale of a person', id],
    queryFn: async () => {
      const { users } = await api.get('v2/manager/users', { query: String(id) })
      return users.find((one) => one.id === id)?.locale ?? null
    },
    enabled: useTranslates() && known === undefined && id !== undefined && settled === user,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (known === undefined ? data : known) ?? null
}
