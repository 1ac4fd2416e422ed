"""LTI 1.3 Advantage: students come from their learning platform, and their scores go back there.

A platform's message is a signed token (`launch`); what we ask a platform is signed with our keys
(`keys`, `services`). 1EdTech specifies it: LTI 1.3, Security Framework 1.0, Deep Linking 2.0, Names
and Roles 2.0, Assignment and Grades 2.0, Dynamic Registration 1.0.
"""
