import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'

/** The screenshot of a penalty. Its address answers only to its girl, so the page fetches it with the token. */
export function PenaltyScreenshot({ id }: { id: number }) {
  const { connection } = useAppServices()
  const [address, setAddress] = useState<string>()
  const { data } = useQuery({
    queryKey: ['penalties', id, 'screenshot'],
    queryFn: () => connection.http.download('penalties/{id}/screenshot', { id }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (!data) return undefined
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  if (!address) return null
  return (
    <img
      src={address}
      alt={t('penalty.screenshot')}
      className="mt-3 max-h-60 w-full rounded-field object-contain"
    />
  )
}
