import { useQuery } from '@tanstack/react-query'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { errorSentence } from '../api.ts'
import { t } from '../texts.ts'

/** A case as it was when it was opened. Each read is a recorded look, so a case is read once. */
export function useCaseLook<Case>(queryKey: readonly unknown[], read: () => Promise<Case>) {
  return useQuery({
    queryKey,
    queryFn: read,
    staleTime: Number.POSITIVE_INFINITY,
    // A later case with the same key needs a look of its own.
    gcTime: 0,
  })
}

interface Look {
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

/** Stands in the place of a case that is not read yet, or cannot be read. */
export function CaseState({ look: { error, refetch } }: { look: Look }) {
  if (error)
    return (
      <Banner
        tone="danger"
        action={
          <Button size={30} variant="outline" onClick={() => void refetch()}>
            {t('action.retry')}
          </Button>
        }
      >
        {errorSentence(error)}
      </Banner>
    )
  return (
    <p role="status" className="p-4 text-text-2">
      {t('office.loading')}
    </p>
  )
}
