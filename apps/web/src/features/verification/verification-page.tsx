import { useState } from 'react'
import { Link } from 'react-router'
import { buttonLook } from '@duet/ui'
import { PageFrame } from '../../shared/frame.tsx'
import { useNoStrayDrops } from '../../shared/media/stray-drops.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { StateCard, StateLoading } from './state-card.tsx'
import { isProviderAddressed, ProviderCheck } from './provider-check.tsx'
import { isOpen, type OwnVerification, takesProvider, useVerification } from './use-verification.ts'
import { ToBirthday, VerificationFlow } from './verification-flow.tsx'
import { usePageShown } from './page-shown.ts'

/** `/verification/`: the state of the own check, and the three steps where documents may be sent. */
export function VerificationPage() {
  usePageShown()
  useNoStrayDrops()
  const query = useVerification()
  const user = useOwnUser()
  const { verification, refresh } = query
  const isGirl = user?.role === 'girl'
  const [isFrameOpen, setFrameOpen] = useState(isProviderAddressed)
  return (
    <PageFrame title={t('verification.title')}>
      <div className="grid w-full max-w-[640px] items-start gap-5 xl:max-w-none xl:grid-cols-[minmax(0,640px)_minmax(0,400px)]">
        <div className="flex min-w-0 flex-col gap-5">
          {verification ? (
            <>
              <StateCard
                verification={verification}
                isGirl={isGirl}
                action={<NextStep verification={verification} />}
              />
              {takesProvider(verification) || isFrameOpen ? (
                <ProviderCheck
                  isOpen={isFrameOpen}
                  setOpen={setFrameOpen}
                  refresh={refresh}
                  takesDocuments={verification.challenge !== undefined}
                />
              ) : null}
              {verification.challenge ? (
                <VerificationFlow challenge={verification.challenge} refresh={refresh} />
              ) : null}
            </>
          ) : (
            <StateLoading {...query} />
          )}
        </div>
        {verification ? <StoredAndWhy way={chooseWay(verification)} /> : null}
      </div>
    </PageFrame>
  )
}

/** Under the state: a link to the profile that needs a correction. If nothing can be sent, a link back. */
function NextStep({ verification }: { verification: OwnVerification }) {
  const { state, reason } = verification
  if (state === 'declined' && reason === 'birthday_differs') return <ToBirthday />
  const isUndecided = state === 'none' || state === 'declined'
  if (isUndecided && isOpen(verification)) return null
  return (
    <Link to="/" className={buttonLook({ variant: 'secondary' })}>
      {t('verification.home')}
    </Link>
  )
}

const answers = ['what', 'why', 'who', 'long'] as const

type Way = 'here' | 'provider' | 'either'

/** Where the documents go. A check that is sent or decided may have gone either way where there is a provider. */
function chooseWay({ provider, challenge, state }: OwnVerification): Way {
  if (provider === 'staff') return 'here'
  const isUndecided = state === 'none' || state === 'declined'
  return isUndecided && !challenge ? 'provider' : 'either'
}

/** States what is stored, why, for how long, and which people see it. The text stands beside the steps, not behind a link. */
function StoredAndWhy({ way }: { way: Way }) {
  return (
    <section aria-labelledby="stored-and-why" className="panel p-5">
      <h2 id="stored-and-why" className="title">
        {t('verification.stored.title')}
      </h2>
      <dl className="mt-3 grid gap-4 md:grid-cols-2 xl:grid-cols-1">
        {answers.map((answer) => (
          <div key={answer}>
            <dt className="ui text-text">{t(`verification.stored.${answer}`)}</dt>
            <dd className="note mt-0.5 text-text-2">
              {t(`verification.stored.${answer}_text`, { way })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
