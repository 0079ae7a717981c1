import { GRADES } from '@touchstone/contract';
import { GradePlate, PICTURE_COLORS, PictureFrame } from './picture-parts.tsx';

const LETTER_GRADES = GRADES.filter((grade) => grade !== '?');

/** Picture for link previews of all pages that are not about one endpoint. */
export function SitePicture() {
  return (
    <PictureFrame note="Trust scores for x402 endpoints">
      <div style={{ display: 'flex', fontSize: 76, fontWeight: 700, lineHeight: 1.12 }}>
        Check an x402 endpoint before you pay
      </div>
      <div style={{ display: 'flex', marginTop: 22, fontSize: 36, color: PICTURE_COLORS.soft }}>
        Uptime, latency, price and a grade from A to F
      </div>
      <div style={{ display: 'flex', marginTop: 40 }}>
        {LETTER_GRADES.map((grade) => (
          <div key={grade} style={{ display: 'flex', marginRight: 34 }}>
            <GradePlate grade={grade} width={96} />
          </div>
        ))}
      </div>
    </PictureFrame>
  );
}
