import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { escapeHtml } from '../../../lib/texts/escape-html.ts'
import { drawPage } from './payment-page.ts'
import type { PlayedPayment, PlayedStep } from './provider.ts'

/** Faults that a person or a test switches on. */
export interface StandInFaults {
  /** The API and the pages answer 503. */
  readonly is_down?: boolean
  /** Notices are kept until they are sent late, in their order or reversed. */
  readonly keeps_notices?: boolean
  /** The number of times that every notice is sent. */
  readonly repeats?: number
  /** A press on Pay pays one cent less than was ordered. */
  readonly pays_less?: boolean
  /** The code with which DataLink of CCBill refuses every question: `-12` is a locked login. */
  readonly datalink_code?: string | undefined
}

const SHOWN_MAX = 20
const SWITCHES = {
  is_down: 'The providers are down',
  keeps_notices: 'Notices are kept, to be sent late',
  repeats: 'Every notice is sent three times',
  pays_less: 'Pay pays one cent less',
  datalink_code: 'DataLink of CCBill has locked our login',
} as const satisfies Record<keyof StandInFaults, string>
const TIMES = 3
const LOCKED = '-12'

const STEPS = {
  pending: 'Begins',
  paid: 'Pay',
  partial: 'Pay a part',
  late: 'Pay after the end',
  failed: 'Decline',
  refunded: 'Give back',
  charged_back: 'Charge back',
} as const satisfies Record<PlayedStep['type'], string>

/** The steps that a person may let follow in a state. */
const FOLLOWING: Readonly<Partial<Record<PlayedPayment['state'], readonly PlayedStep['type'][]>>> =
  {
    open: ['pending', 'paid', 'partial', 'failed'],
    pending: ['paid', 'partial', 'failed'],
    partial: ['paid', 'refunded'],
    failed: ['paid', 'late'],
    paid: ['paid', 'refunded', 'charged_back'],
    refunded: ['paid', 'charged_back'],
  }

export function isStep(name: string): name is PlayedStep['type'] {
  return Object.hasOwn(STEPS, name)
}

/** The faults that the form of the page switches on. */
export function readFaults(body: string): StandInFaults {
  const given = new URLSearchParams(body)
  return {
    is_down: given.has('is_down'),
    keeps_notices: given.has('keeps_notices'),
    repeats: given.has('repeats') ? TIMES : 1,
    pays_less: given.has('pays_less'),
    datalink_code: given.has('datalink_code') ? LOCKED : undefined,
  }
}

/** The page where a person switches faults on and lets further steps of payments happen. */
export function controlPage(
  payments: readonly PlayedPayment[],
  { faults, kept }: { readonly faults: StandInFaults; readonly kept: number },
): string {
  const switches = (Object.keys(SWITCHES) as (keyof StandInFaults)[]).map((name) => {
    const isOn = name === 'repeats' ? (faults.repeats ?? 1) > 1 : Boolean(faults[name])
    return `<label><input type="checkbox" name="${name}"${isOn ? ' checked' : ''}> ${SWITCHES[name]}</label>`
  })
  const rows = payments.slice(-SHOWN_MAX).toReversed().map(row)
  return drawPage(
    `<h1>The providers of payments</h1>
    <form method="post" action="/control/faults">${switches.join('')}<button>Switch</button></form>
    <h2>Kept notices: ${kept}</h2>
    <form method="post" action="/control/kept"><button>Send them</button></form>
    <form method="post" action="/control/kept?reversed=1"><button>Send the last first</button></form>
    <h2>Payments</h2>${rows.length > 0 ? rows.join('') : '<p>None yet.</p>'}
    <small>A stand-in for all providers. No money moves here.</small>`,
  )
}

function row(payment: PlayedPayment): string {
  const { amount, currency, played_by, reference, state } = payment
  const what = `${toDecimal(amount, currency)} ${currency} · ${played_by} · ${reference}`
  return `<section><p>${escapeHtml(what)} · <b>${state}</b></p>${stepForms(payment)}</section>`
}

/** A button for each step that may follow. */
export function stepForms({ id, state }: PlayedPayment): string {
  const steps = FOLLOWING[state] ?? []
  return steps
    .map(
      (step) =>
        `<form method="post" action="/control/steps/${id}?type=${step}"><button>${STEPS[step]}</button></form>`,
    )
    .join('')
}
