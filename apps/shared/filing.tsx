/** The number of a site that is filed in mainland China, with a link to where the ministry publishes the filings. */
export function Filing({ number, className }: { number: string; className?: string | undefined }) {
  return (
    <footer className={className}>
      <a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">
        {number}
      </a>
    </footer>
  );
}
