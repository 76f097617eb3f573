import { Button } from '@duet/ui'

interface SectionFailedProps {
  readonly text: string
  readonly retry: string
  readonly onRetry: () => void
}

/** In the place of a section whose data could not be fetched. */
export function SectionFailed({ text, retry, onRetry }: SectionFailedProps) {
  return (
    <div role="alert" className="panel flex flex-wrap items-center justify-between gap-3 p-5">
      <p className="body text-text-2">{text}</p>
      <Button variant="outline" onClick={onRetry}>
        {retry}
      </Button>
    </div>
  )
}
