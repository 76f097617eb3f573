import { useParams } from 'react-router'
import { Button, EmptyState, Skeleton, useSkeleton } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { FindChatLink } from './find-chat-link.tsx'
import { GirlView } from './girl-view.tsx'
import { useGirl } from './use-girl.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useFrame } from '../../shared/frame.tsx'
import { VisitorBar } from '../../shared/navigation/visitor-bar.tsx'

/** `/girl/:refCode`: how a girl shows herself, and the ways to meet her. */
export function GirlPage() {
  const { refCode = '' } = useParams()
  return (
    <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-6 px-4 pt-4 pb-8 md:px-9 md:pt-6">
      <PageHeader />
      {/* Another girl is another page: no state of the former page stays. */}
      <GirlContent key={refCode} refCode={refCode} />
    </div>
  )
}

function GirlContent({ refCode }: { refCode: string }) {
  const { girl, canCall, isUnknown, isLoading, retry } = useGirl(refCode)
  const isSkeleton = useSkeleton(isLoading)
  if (isUnknown) return <Unknown />
  if (isLoading || isSkeleton)
    return isSkeleton ? <GirlSkeleton /> : <div className="min-h-dvh" aria-busy />
  if (!girl) return <Failed retry={retry} />
  return <GirlView girl={girl} canCall={canCall} refCode={refCode} />
}

function Unknown() {
  return (
    <div className="py-12">
      <h1 tabIndex={-1} className="sr-only">
        {t('girl.unknown')}
      </h1>
      <EmptyState
        title={t('girl.unknown')}
        text={t('girl.unknown_text')}
        action={<FindChatLink variant="primary" />}
      />
    </div>
  )
}

function Failed({ retry }: { retry: () => void }) {
  return (
    <div className="py-12" role="alert">
      <h1 tabIndex={-1} className="sr-only">
        {t('girl.failed')}
      </h1>
      <EmptyState
        title={t('girl.failed')}
        text={t('girl.failed_text')}
        action={
          <Button variant="primary" onClick={retry}>
            {t('action.retry')}
          </Button>
        }
      />
    </div>
  )
}

function GirlSkeleton() {
  return (
    <div className="grid gap-6 md:grid-cols-[minmax(0,420px)_minmax(0,1fr)] md:gap-12" aria-busy>
      <Skeleton className="aspect-[4/5] w-full rounded-[120px]! md:aspect-[420/520]" />
      <div className="flex flex-col gap-4 md:pt-4">
        <Skeleton className="h-12 w-64" />
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-[54px] w-72 rounded-full!" />
      </div>
    </div>
  )
}

/** Members have the frame of their other pages. A visitor, who came by a link, finds out where he is and how he gets in. */
function PageHeader() {
  const { header_end } = useFrame()
  if (useAuthStatus() !== 'guest')
    return <header className="flex min-h-11 justify-end">{header_end}</header>
  return (
    <header>
      <VisitorBar />
    </header>
  )
}
