/** One mail to one address, rendered. */
export interface Mail {
  /** The same id for every attempt to deliver a mail, so that receivers recognise a repeated mail. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The address of RFC 8058: a POST to it ends mails of this kind, a GET shows a page. */
  readonly unsubscribe_url: string | undefined
}

export interface KeptMail extends Mail {
  readonly at: string
}

/** Where mails go. */
export interface MailTransport {
  /** Mails are neither sent nor kept: nothing needs to be written for them. */
  readonly is_off: boolean
  /** `refused`: the receiver will never take this mail. After an error the mail is sent again. */
  send(mail: Mail, now: Temporal.Instant): Promise<'sent' | 'refused'>
  /** The last mails, newest first; undefined where they really leave. */
  kept(): Promise<readonly KeptMail[] | undefined>
  /** Closes idle connections. */
  close(): void
}
